// The library takes half a second to load: when the first message is judged, or before, by whoever answers others
// meanwhile.

async function load() {
  const [dkim, spf, arc, dmarc, bimi] = await Promise.all([
    import('mailauth/lib/dkim/verify.js'),
    import('mailauth/lib/spf/index.js'),
    import('mailauth/lib/arc/index.js'),
    import('mailauth/lib/dmarc/index.js'),
    import('mailauth/lib/bimi/index.js'),
  ]);
  return {
    dkimVerify: dkim.dkimVerify,
    spf: spf.spf,
    arc: arc.arc,
    evaluateDmarc: dmarc.evaluateDmarc,
    bimi: bimi.bimi,
  };
}

let loaded: ReturnType<typeof load> | undefined;

/** mailauth's verifiers, one per standard. */
export function verifiers(): ReturnType<typeof load> {
  loaded ??= load();
  return loaded;
}
