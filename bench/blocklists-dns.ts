// The name server of the benchmark, in a process of its own: every list works and holds nothing but its test entry.
import { startListDns } from '../test/harness/list-dns.ts';

const SLOW_MS = 20;
let isSlow = false;
const listed = { addresses: ['127.0.0.2'] };
const dns = await startListDns((name) =>
  isSlow ? { code: 3, afterMs: SLOW_MS } : name.startsWith('2.0.0.127.') ? listed : undefined,
);
process.on('message', (word) => {
  if (word !== 'tell') {
    isSlow = word === 'slow';
    return void process.send!({});
  }
  const asked = new Map<string, number>();
  for (const [name, count] of dns.asked) {
    const zone = name.split('.').slice(-3).join('.');
    asked.set(zone, (asked.get(zone) ?? 0) + count);
  }
  process.send!({ most: dns.most(), perList: Math.max(0, ...asked.values()) });
  dns.asked.clear();
});
process.send!({ address: dns.address });
