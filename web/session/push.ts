// Push messages to this browser: whether it takes them, and turning them on and off. Browsers ask their person, so this is only ever
// called from a button.

import type { Door } from '../sync/door.ts';
import { dataOf } from '../sync/door.ts';

export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

const worker = '/service-worker.js';

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(worker);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return (await subscriptionHere()) === null ? 'off' : 'on';
}

/** Null: the service sends none. */
export async function readPushKey(door: Door): Promise<string | null> {
  return dataOf(await door.rpc('push_key'));
}

export async function turnPushOn(door: Door, key: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPushState();
  const registration = await navigator.serviceWorker.register(worker);
  await navigator.serviceWorker.ready;
  // One that was made for another key would never hear of us.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  try {
    dataOf(
      await door.rpc('save_push_subscription', {
        endpoint: endpoint ?? '',
        p256dh: keys?.p256dh ?? '',
        auth: keys?.auth ?? '',
      }),
    );
  } catch (reason) {
    await subscription.unsubscribe();
    throw reason;
  }
  return 'on';
}

export async function turnPushOff(door: Door): Promise<PushState> {
  const subscription = await subscriptionHere();
  if (subscription !== null) {
    dataOf(await door.rpc('drop_push_subscription', { endpoint: subscription.endpoint }));
    await subscription.unsubscribe();
  }
  return 'off';
}
