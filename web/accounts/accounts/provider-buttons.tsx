import { LogIn } from 'lucide-react';
import { pageState } from '../../platform/page-state.ts';
import { ButtonAnchor } from '../../ui/button.tsx';

/** A link for each provider of OpenID Connect. */
export function ProviderButtons() {
  return pageState().signInProviders.map(({ id, name }) => (
    <ButtonAnchor
      key={id}
      href={`/api/auth/oidc/${id}/start`}
      variant="default"
      fullWidth
      size="md"
      leftSection={<LogIn size={16} aria-hidden />}
    >
      Continue with {name}
    </ButtonAnchor>
  ));
}
