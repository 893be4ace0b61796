import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

type Props = {
  title?: ReactNode
  /** Small text beside the title. */
  count?: ReactNode
  actions?: ReactNode
  children?: ReactNode
  /** Removes the padding, for tables. */
  flush?: boolean
  className?: string
}

/** The product's card. With a title it is a landmark region of the page. */
export function Card({ title, count, actions, children, flush, className }: Props) {
  const id = useId()
  return (
    <Paper
      component="section"
      aria-labelledby={title ? id : undefined}
      className={[classes.card, className].filter(Boolean).join(' ')}
    >
      {(title || actions) && (
        <div className={classes.head}>
          {title && (
            <div className={classes.titled}>
              <Title order={2} size="h3" id={id}>
                {title}
              </Title>
              {count && <span className={classes.count}>{count}</span>}
            </div>
          )}
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </Paper>
  )
}
