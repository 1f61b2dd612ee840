import styles from './mesh.module.css';

/** The bars of one row of the mesh as [start, length], and the distance after which they repeat. */
const bars = [
  [0, 26],
  [36, 12],
  [58, 40],
  [108, 18],
] as const;
const repeat = 136;
const rowHeight = 26;
/** How far each row is moved, so that the gaps are not below each other. */
const offsets = [0, 52, 96, 24, 74];

interface MeshProps {
  /** In pixels of the drawing. */
  width: number;
  height: number;
  className?: string | undefined;
}

/** The motif of the site: links fall through a mesh, and it catches some of them. Decoration only. */
export function Mesh({ width, height, className = '' }: MeshProps) {
  const rows = Array.from({ length: Math.ceil(height / rowHeight) }, (_, row) => row);
  return (
    <svg
      className={`${styles.mesh} ${className}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <path d={rows.map((row) => drawRow(row, width)).join('')} />
      {rows.map((row) => (
        <FallingLink key={row} row={row} width={width} />
      ))}
    </svg>
  );
}

/** A link in the space above a row. Every third one lies on the row: it is caught. */
function FallingLink({ row, width }: { row: number; width: number }) {
  const isCaught = row % 3 === 2;
  const x = 20 + ((row * 227 + 61) % Math.max(1, width - 40));
  const y = row * rowHeight + (isCaught ? -5 : -12);
  return (
    <rect
      className={styles.link}
      data-caught={isCaught || undefined}
      x={x - 8}
      y={y - 4}
      width={16}
      height={8}
      rx={4}
      transform={`rotate(${isCaught ? 0 : ((row * 53) % 90) - 45} ${x} ${y})`}
    />
  );
}

function drawRow(row: number, width: number): string {
  const start = -(offsets[row % offsets.length] ?? 0);
  const y = row * rowHeight;
  const parts: string[] = [];
  for (let x = start; x < width; x += repeat) {
    for (const [at, length] of bars) parts.push(`M${x + at} ${y}h${length}v6h-${length}z`);
  }
  return parts.join('');
}
