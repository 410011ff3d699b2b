import { useLocalStorage } from '@mantine/hooks';

export type SignInWay = 'key' | 'password';

/** How this browser signed in last: the sign-in page begins with it. */
export function useSignInWay(): readonly [SignInWay, (way: SignInWay) => void] {
  const [kept, keep] = useLocalStorage<SignInWay>({
    key: 'galley.sign-in-way',
    defaultValue: 'key',
    getInitialValueInEffect: false,
  });
  return [kept === 'password' ? 'password' : 'key', keep];
}
