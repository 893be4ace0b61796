import { productName } from '#domain/navigation/constants.ts'
import { useBranding } from '#web/shell/branding.ts'
import { Mark } from '#web/ui/icons.tsx'
import classes from './brand.module.css'

/** The university's logo or the product's mark, and the university's name. */
export function Brand({ className }: { className?: string }) {
  const { logo, shortName } = useBranding()
  return (
    <>
      {logo ? <img src={logo} alt="" width={32} height={32} className={classes.logo} /> : <Mark size={32} />}
      <span className={className}>
        {productName}
        {shortName && <small className={classes.whose}>{shortName}</small>}
      </span>
    </>
  )
}
