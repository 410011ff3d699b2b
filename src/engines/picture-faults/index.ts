// Faults that the picture of a message shows in one client; pure.
export { judgePicture, type PictureFacts } from './judge-picture.ts';
