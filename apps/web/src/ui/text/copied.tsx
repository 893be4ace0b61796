import { Button, CopyButton, Text } from '@mantine/core'
import classes from './copied.module.css'
import { useSurroundings } from './words.tsx'

type Props = { label: string; value: string; help?: string }

/** A value to enter elsewhere, with a copy button. */
export function Copied({ label, value, help }: Props) {
  const { say } = useSurroundings()
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {help && (
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      )}
      <div className={classes.copied}>
        <code>{value}</code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              size="compact-md"
              variant="default"
              onClick={copy}
              aria-label={`${say('actions.copy')}: ${label}`}
              children={say(copied ? 'actions.copied' : 'actions.copy')}
            />
          )}
        </CopyButton>
      </div>
    </div>
  )
}
