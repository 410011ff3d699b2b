// Passkeys in the browser (Web Authentication, Level 3): where there are any, and what devices are asked for.

type Browser = Pick<Window, 'isSecureContext'> & { location: Pick<Location, 'origin' | 'hostname'> };

const isAddress = (hostname: string): boolean => hostname.startsWith('[') || /^[\d.]+$/.test(hostname);

/**
 * Why there are no passkeys in this browser at this address; undefined where there are. `place` is what the service
 * says of where it is: null where browsers have none there, undefined while that is not known.
 */
export function passkeyProblem(
  place: { origin: string } | null | undefined,
  { isSecureContext, location: { origin, hostname } }: Browser = window,
  hasPasskeys = 'PublicKeyCredential' in globalThis,
): string | undefined {
  if (!isSecureContext)
    return `Browsers have passkeys only at https addresses and at http://localhost; this page is at ${origin}.`;
  if (isAddress(hostname))
    return `Browsers have passkeys only at addresses with a name; this page is at ${origin}, which is a number.`;
  if (!hasPasskeys) return 'This browser has no passkeys. Use a newer one, or another one.';
  if (place === null)
    return (
      'Galley does not know that it is at this address, so it takes no passkeys. Whoever operates it sets ' +
      `GALLEY_PUBLIC_URL to ${origin}.`
    );
  if (place && place.origin !== origin)
    return `Passkeys work at ${place.origin} alone, and this page is at ${origin}. Open Galley there.`;
  return undefined;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const signs = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const signs = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(signs).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

interface Described {
  type: 'public-key';
  id: string;
}

const described = ({ type, id }: Described) => ({ type, id: bytesOf(id) });

const WORDS: Record<string, string> = {
  InvalidStateError: 'This device has a passkey for you here already.',
  SecurityError: 'The browser has no passkeys at this address.',
  NotSupportedError: 'This device makes no passkeys of a kind that Galley takes.',
  ConstraintError: 'This device cannot ask who you are: set up a PIN, a fingerprint or a face in its settings first.',
};

/** Whatever went wrong between browser and device, in a sentence. */
async function asking<Result>(work: () => Promise<Result>, refused: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new Error(WORDS[error.name] ?? refused, { cause: error });
  }
}

interface NewOptions {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { type: 'public-key'; alg: number }[];
  timeout: number;
  attestation: 'none';
  excludeCredentials: Described[];
  authenticatorSelection: { residentKey: 'required'; requireResidentKey: boolean; userVerification: 'required' };
}

/** Asks the device for a new passkey; what it answers, as the service takes it. Throws errors with a sentence. */
export async function makePasskey({ challenge, user, excludeCredentials, ...options }: NewOptions) {
  const publicKey = {
    ...options,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(described),
  };
  const made = (await asking(
    () => navigator.credentials.create({ publicKey }),
    'Your device made no passkey: you canceled, or it took too long.',
  )) as PublicKeyCredential | null;
  const response = made?.response as AuthenticatorAttestationResponse | undefined;
  const key = response?.getPublicKey();
  if (!made || !response || !key) throw new Error('Your browser gave no passkey that Galley can use.');
  return {
    id: textOf(made.rawId),
    type: 'public-key' as const,
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.getAuthenticatorData()),
      publicKey: textOf(key),
      publicKeyAlgorithm: response.getPublicKeyAlgorithm(),
    },
  };
}

interface SignInOptions {
  challenge: string;
  rpId: string;
  timeout: number;
  userVerification: 'required';
  allowCredentials: Described[];
}

/** Asks for a passkey that the device has; what it signs, as the service takes it. Throws errors with a sentence. */
export async function askForPasskey({ challenge, allowCredentials, ...options }: SignInOptions) {
  const publicKey = {
    ...options,
    challenge: bytesOf(challenge),
    allowCredentials: allowCredentials.map(described),
  };
  const given = (await asking(
    () => navigator.credentials.get({ publicKey }),
    'Your device gave no passkey: it has none for this address, you canceled, or it took too long.',
  )) as PublicKeyCredential | null;
  const response = given?.response as AuthenticatorAssertionResponse | undefined;
  if (!given || !response) throw new Error('Your browser gave no passkey.');
  return {
    id: textOf(given.rawId),
    type: 'public-key' as const,
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: response.userHandle && textOf(response.userHandle),
    },
  };
}
