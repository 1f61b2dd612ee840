export function AccountPage() {
  return <h1>My Account</h1>;
}
