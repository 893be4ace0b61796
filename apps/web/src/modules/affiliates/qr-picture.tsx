import classes from './affiliates.module.css'

type Props = { qr: { size: number; path: string }; label: string }

/** A QR code with its quiet zone, dark on white in both themes. */
export const QrPicture = ({ qr: { size, path }, label }: Props) => (
  <svg className={classes.qr} viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={label}>
    <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
    <path d={path} fill="#000" shapeRendering="crispEdges" />
  </svg>
)
