/** What a named part of a target is. `statements` are code outside of any definition; `block` is a guess where there is no parser. */
export type RegionKind = 'function' | 'method' | 'class' | 'constant' | 'statements' | 'block';

/** A named part of a target. A class holds its methods, which are parts of their own. */
export interface Region {
  /** Unique in the file: "slug", "Config.load", "for step in range(STEPS):". */
  readonly name: string;
  readonly kind: RegionKind;
  /** Lines, counted from 1; both belong to it. */
  readonly from: number;
  readonly to: number;
}
