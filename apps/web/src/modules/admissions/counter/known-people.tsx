import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { KnownPerson } from '#domain/counter/endpoints.ts'
import { bringIntoView } from '#web/ui/bring-into-view.ts'

type Props = {
  people: readonly KnownPerson[]
  busy: boolean
  onAnswer: (choice: { accountId: string } | { isAnotherPerson: true }) => void
}

/** People who may be the typed person; a shared phone alone may also mean a sibling. */
export function KnownPeople({ people, busy, onAnswer }: Props) {
  const { t } = useTranslation('counter')
  const mayBeAnother = people.every(({ matches }) => matches.every((match) => match === 'phone'))
  return (
    <Alert color="orange" variant="light" title={t('known')} ref={bringIntoView}>
      <Stack>
        <Text>{t('knownText')}</Text>
        {people.map(({ accountId, name, email, phone, matches, registrations }) => (
          <Group key={accountId} justify="space-between" align="flex-start">
            <div>
              <Text fw={600}>{name}</Text>
              <Text size="sm">{[email, phone].filter(Boolean).join(' · ')}</Text>
              <Text size="sm">{matches.map((match) => t(`matches.${match}`)).join(', ')}</Text>
              {registrations.map(({ id, code, wave, track }) => (
                <Text size="sm" key={id}>
                  <Anchor component={Link} to={`/pendaftaran/${id}`} underline="always" c="inherit">
                    {code}
                  </Anchor>{' '}
                  · {wave} · {track}
                </Text>
              ))}
            </div>
            <Button variant="default" disabled={busy} onClick={() => onAnswer({ accountId })}>
              {t('useAccount', { name })}
            </Button>
          </Group>
        ))}
        {mayBeAnother && (
          <Button variant="subtle" disabled={busy} onClick={() => onAnswer({ isAnotherPerson: true })}>
            {t('anotherPerson')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
