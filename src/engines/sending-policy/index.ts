// Who goes next when more waits than there is room for; pure.
export { shareOut, type Spot } from './share-out.ts';
