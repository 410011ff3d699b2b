/** `0.325` → `32.5 %`. */
export const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
