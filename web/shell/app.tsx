// Root of the app: public pages are open to all, other addresses need a session.

import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { Missing } from '../pieces/missing.tsx';
import { paths } from '../routes.ts';
import { innerRoutes, outerRoutes } from '../screens.ts';
import { useSession } from '../session/react.tsx';
import { t } from '../strings/messages.ts';
import { Loading } from '../ui/state.tsx';
import { Crash } from './crash.tsx';
import { Ghost } from './ghost.tsx';
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
  const search = useSearch();
  if (loading) return <Ghost />;
  // A session whose second factor is missing goes to the same page, which asks for it.
  if (user === null || session?.factorDue)
    return (
      <Redirect
        to={`${paths.signIn}?next=${encodeURIComponent(location + (search && `?${search}`) + window.location.hash)}`}
        replace
      />
    );
  return (
    <SignedIn key={user.id} userId={user.id}>
      <Shell>
        <Crash key={location.split('/').slice(0, 5).join('/')}>
          <Switch>
            {innerRoutes.map(({ path, screen: Screen }) => (
              <Route key={path} path={path}>
                <Screen meanwhile={<Loading label={t('common.loading')} />} />
              </Route>
            ))}
            <Route>
              <Missing />
            </Route>
          </Switch>
        </Crash>
      </Shell>
    </SignedIn>
  );
}
