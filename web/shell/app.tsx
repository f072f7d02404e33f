// Root of the app: public pages are open to all, other addresses need a session.

import { Redirect, Route, Switch, useLocation } from 'wouter';
import { NotFound } from '../pieces/not-found.tsx';
import { paths } from '../routes.ts';
import { withReturnPath } from '../screens/sign-in/return-path.ts';
import { innerRoutes, outerRoutes } from '../screens.ts';
import { useSession } from '../session/react.tsx';
import { t } from '../strings/messages.ts';
import { Loading } from '../ui/list-states.tsx';
import { Crash } from './crash.tsx';
import { LoadingFrame } from './loading-frame.tsx';
import { Shell } from './shell.tsx';
import { SignedIn } from './signed-in.tsx';

export function App() {
  return (
    <Crash>
      <Switch>
        {outerRoutes.map(({ path, screen: Screen }) => (
          <Route key={path} path={path}>
            <Screen meanwhile={<Loading label={t('common.loading')} />} />
          </Route>
        ))}
        <Route>
          <Inside />
        </Route>
      </Switch>
    </Crash>
  );
}

function Inside() {
  const { loading, session, user } = useSession();
  const [location] = useLocation();
  if (loading) return <LoadingFrame />;
  // A session whose second factor is missing goes to the same page, which asks for it.
  if (user === null || session?.factorDue)
    return (
      // The query as it is: wouter's is decoded, and a way back has no spaces.
      <Redirect to={withReturnPath(paths.signIn, location + window.location.search + window.location.hash)} replace />
    );
  return (
    <SignedIn key={user.id} userId={user.id}>
      <Shell>
        <Crash key={location.split('/').slice(0, 5).join('/')}>
          <Switch>
            {innerRoutes.map(({ path, screen: Screen }) => (
              <Route key={path} path={path}>
                <Screen meanwhile={<Loading whole label={t('common.loading')} />} />
              </Route>
            ))}
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Crash>
      </Shell>
    </SignedIn>
  );
}
