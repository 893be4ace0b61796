import { Button } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import classes from './view-banner.module.css'

type Props = { label: string; children: ReactNode; endLabel: string; ending: boolean; onEnd: () => void }

/** Banner on every screen while somebody views the product as another account; its button ends the view. */
export function ViewBanner({ label, children, endLabel, ending, onEnd }: Props) {
  // Lets CSS move sticky headers below the banner.
  useEffect(() => {
    document.documentElement.dataset.seenAs = ''
    return () => {
      delete document.documentElement.dataset.seenAs
    }
  }, [])
  return (
    <aside className={classes.banner} aria-label={label}>
      <p className={classes.words}>{children}</p>
      <Button size="compact-md" color="dark" loading={ending} onClick={() => onEnd()}>
        {endLabel}
      </Button>
    </aside>
  )
}
