// The gate's comparison itself, so that both call the same pixels different: the one file of the server in here.
export {
  differenceOf,
  type Band,
  type Difference,
  type Pixels,
  type RowPair,
} from '../../../../src/engines/pictures/difference.ts';
