import { signatureArea } from '#domain/students/jackets/jackets.ts'
import classes from './jackets.module.css'

const viewBox = `0 0 ${signatureArea.width} ${signatureArea.height}`

/** A drawn signature; `path` is an SVG path in units of `signatureArea`. */
export const Signature = ({ path, label }: { path: string; label: string }) => (
  <svg className={classes.signature} viewBox={viewBox} role="img" aria-label={label}>
    <path d={path} fill="none" stroke="currentColor" strokeWidth={3} strokeLinejoin="round" strokeLinecap="round" />
  </svg>
)
