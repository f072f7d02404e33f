// Custom providers that people sign in with: read only, since the API for administrators enters them with their secrets.

import { LogIn } from 'lucide-react';
import type { AdminSignInProvider } from '../../queries/admin/admin-providers.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';

export function SignInProviders({ providers }: { providers: readonly AdminSignInProvider[] }) {
  return (
    <section className={shapes.stackS3} aria-label={t('admin.scim.signIn')}>
      <h2>{t('admin.scim.signIn')}</h2>
      <p className={shapes.quietS}>{t('admin.scim.signInWords')}</p>
      <ul className={shapes.stackS3}>
        {providers.map((provider) => (
          <li key={provider.identifier} className={shapes.rowS4}>
            <LogIn size={18} aria-hidden="true" />
            <span className={`${shapes.breaks} ${shapes.fill} ${shapes.medium}`}>
              {provider.name}
              <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>
                {[
                  provider.identifier,
                  provider.host,
                  t('admin.scim.people', { n: provider.people }),
                  ...(provider.is_enabled ? [] : [t('admin.state.disabled')]),
                ].join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
