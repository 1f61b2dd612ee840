/** '1,204', or '1,204 domains' with a noun whose plural takes an s. */
export function counted(count: number, noun?: string): string {
  const digits = count.toLocaleString('en-US');
  return noun === undefined ? digits : `${digits} ${noun}${count === 1 ? '' : 's'}`;
}

/** Seconds as '42 s', '3:05' or '4:03:05'. */
export function lasting(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const two = (count: number) => String(count).padStart(2, '0');
  const tail = two(whole % 60);
  return minutes < 60 ? `${minutes}:${tail}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${tail}`;
}

/** '2026-11-22 00:00:00 UTC': the server's day is a UTC day. */
export function moment(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
