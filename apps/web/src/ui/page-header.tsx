import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-header.module.css'

type Props = {
  title: ReactNode
  /** Small text beside the title. */
  count?: ReactNode
  description?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, count, description, actions }: Props) {
  return (
    <div className={classes.header}>
      <div className={classes.words}>
        <Title order={1}>
          {title}
          {count !== undefined && count !== null && <span className={classes.count}>{count}</span>}
        </Title>
        {description && (
          <Text component="div" c="dimmed" mt={4}>
            {description}
          </Text>
        )}
      </div>
      {actions && (
        <Group gap="sm" className="no-print">
          {actions}
        </Group>
      )}
    </div>
  )
}
