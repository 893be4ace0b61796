import { Button, Group, PasswordInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { longDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/words.tsx'

type Props = {
  label: string
  help: string
  /** When the stored one was set; nothing when there is none. */
  setAt: string | null
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** A secret that can be set and replaced, and never read. */
export function SecretField({ label, help, setAt, value, error, onChange }: Props) {
  const { t } = useTranslation('whatsapp')
  const { language } = useSurroundings()
  const [replacing, setReplacing] = useState(false)
  if (setAt && !replacing && !error)
    return (
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Group gap="sm">
          <Text size="sm">•••• · {t('secretSet', { date: longDate(setAt, language) })}</Text>
          <Button
            size="compact-md"
            variant="default"
            aria-label={`${t('secretReplace')}: ${label}`}
            onClick={() => setReplacing(true)}
          >
            {t('secretReplace')}
          </Button>
        </Group>
      </div>
    )
  return (
    <PasswordInput
      size="sm"
      label={label}
      description={
        <>
          {help}
          {setAt && (
            <>
              {' '}
              <Button
                size="compact-xs"
                variant="transparent"
                onClick={() => {
                  onChange('')
                  setReplacing(false)
                }}
              >
                {t('secretKeep')}
              </Button>
            </>
          )}
        </>
      }
      value={value}
      error={error}
      // A browser must not offer to keep it, nor fill in a password of the person.
      autoComplete="off"
      data-1p-ignore
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
