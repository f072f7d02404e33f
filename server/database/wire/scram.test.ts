import { expect, test } from 'vitest';
import { md5Answer, scramFinal, scramFirst, scramVerify } from './scram.ts';

// The conversation of RFC 7677, with the user name left to the startup message as Postgres has it.
const serverFirst = 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096';

test('proves the password and has the server prove it', async () => {
  const step = scramFirst('rOprNGfwEbeRWgbNEkqO');
  expect(step.first).toBe('n,,n=*,r=rOprNGfwEbeRWgbNEkqO');
  const user = { ...step, firstBare: 'n=user,r=rOprNGfwEbeRWgbNEkqO' };
  const final = await scramFinal(user, 'pencil', serverFirst);
  expect(final.message).toBe(
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
  );
  expect(() => scramVerify('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=', final.serverSignature)).not.toThrow();
  expect(() => scramVerify('v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=', final.serverSignature)).toThrow(
    /could not prove/,
  );
});

test('does not go along with a nonce that is not ours, or absurd work', async () => {
  const step = scramFirst('ours');
  await expect(scramFinal(step, 'x', 'r=theirs,s=W22Z,i=4096')).rejects.toThrow(/nonce/);
  await expect(scramFinal(step, 'x', 'r=ours,s=W22Z,i=4096')).rejects.toThrow(/nonce/);
  await expect(scramFinal(step, 'x', 'r=oursmore,s=W22Z,i=2000000000')).rejects.toThrow(/unusable/);
});

test('answers md5 as Postgres wants it', () => {
  expect(md5Answer('ann', 'secret', Buffer.from([1, 2, 3, 4]))).toMatch(/^md5[0-9a-f]{32}$/);
});
