import { productName } from '#domain/navigation/constants.ts'
import { useBranding } from '#web/shell/branding.ts'
import { Mark } from '#web/ui/icons.tsx'
import classes from './brand.module.css'

type Props = {
  className?: string
  /** Shows the full university name, if entered, instead of the short one. */
  isWhole?: boolean
}

/** The university's logo or the product's mark, and the university's name. */
export function Brand({ className, isWhole }: Props) {
  const { logo, name, shortName } = useBranding()
  const whose = isWhole && name !== productName ? name : shortName
  return (
    <>
      {logo ? <img src={logo} alt="" width={32} height={32} className={classes.logo} /> : <Mark size={32} />}
      <span className={className}>
        {productName}
        {whose && <small className={classes.whose}>{whose}</small>}
      </span>
    </>
  )
}
