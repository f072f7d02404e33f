// Sign up or sign in, for people without a session; either leads back to the link they came by.

import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Lead } from '../sign-in/auth-frame.tsx';
import { withReturnPath } from '../sign-in/return-path.ts';

export function NeedAccount({ next, children }: { next: string; children: string }) {
  return (
    <>
      <Lead>{children}</Lead>
      <ButtonLink href={withReturnPath(paths.signUp, next)} look="main">
        {t('signIn.doUp')}
      </ButtonLink>
      <ButtonLink href={withReturnPath(paths.signIn, next)}>{t('common.signIn')}</ButtonLink>
    </>
  );
}
