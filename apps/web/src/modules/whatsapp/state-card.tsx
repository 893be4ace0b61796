import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatPhone } from '#domain/accounts/phone.ts'
import {
  checkConnection,
  connectDevice,
  disconnectDevice,
  type WhatsappConnection,
} from '#domain/whatsapp/endpoints.ts'
import { dateTime, timeOfDay, wholeNumber } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { Pairing } from './pairing.tsx'
import { useConnectionActions } from './use-connection-actions.ts'
import { useProblemWords } from './words.tsx'

type Props = { connection: WhatsappConnection }

/** Status of a connection, its problem, and the actions it allows. */
export function StateCard({ connection }: Props) {
  const { t } = useTranslation('whatsapp')
  const { may } = useSession()
  const { kind, phone, sentLastDay, waiting, verifiedName, quality } = connection
  return (
    <Card title={t('standing')}>
      <Stack gap="md">
        <Sentence connection={connection} />
        <Problem connection={connection} />
        {kind === 'device' && connection.state === 'pairing' && <Pairing connection={connection} />}
        {may('settings-whatsapp-update') && kind === 'device' && <DeviceButtons connection={connection} />}
        {may('settings-whatsapp-update') && kind === 'cloud' && connection.active && (
          <CheckButton connection={connection} />
        )}
        <Facts
          facts={[
            [t('phone'), phone ? formatPhone(phone) : '—'],
            ...(kind === 'cloud'
              ? ([
                  [t('verifiedName'), verifiedName ?? '—'],
                  [t('quality'), quality ? t(`qualities.${quality as 'GREEN'}`, { defaultValue: quality }) : '—'],
                ] as [string, string][])
              : []),
            [t('sentLastDay'), wholeNumber(sentLastDay)],
            [t('waiting'), wholeNumber(waiting)],
          ]}
        />
      </Stack>
    </Card>
  )
}

function Sentence({ connection }: Props) {
  const { t } = useTranslation('whatsapp')
  const { language } = useSurroundings()
  const { kind, active, state, connectedAt, checkedAt, retryAt, phone, problem } = connection
  const words = () => {
    if (!active) return t('state.inactive')
    if (kind === 'log') return t('state.log')
    if (kind === 'cloud')
      return checkedAt
        ? t('state.checked', { at: dateTime(checkedAt, language) })
        : problem
          ? null
          : t('state.unchecked')
    if (state === 'open' && connectedAt) {
      const connectedSince = dateTime(connectedAt, language)
      return phone
        ? t('state.open', { since: connectedSince, phone: formatPhone(phone) })
        : t('state.openUnknown', { since: connectedSince })
    }
    if (state === 'retrying') return retryAt ? t('state.retrying', { at: timeOfDay(retryAt, language) }) : null
    if (state === 'off') return problem ? null : t('state.off')
    return state === 'connecting' ? t('state.connecting') : null
  }
  const sentence = words()
  return sentence ? <Text role="status">{sentence}</Text> : null
}

function Problem({ connection: { problem, problemDetail, problemAt } }: Props) {
  const { t } = useTranslation('whatsapp')
  const { language } = useSurroundings()
  const problemWords = useProblemWords()
  if (!problem) return null
  return (
    <Alert color="red" variant="light" role="alert">
      <Stack gap={4}>
        <Text>{problemWords(problem)}</Text>
        <Text size="sm" c="dimmed">
          {problemAt && t('problemSince', { at: dateTime(problemAt, language) })}
          {problemDetail && ` ${t('providerSays', { detail: problemDetail })}`}
        </Text>
      </Stack>
    </Alert>
  )
}

function DeviceButtons({ connection: { id, active, state, problem } }: Props) {
  const { t } = useTranslation('whatsapp')
  const { act, actOrThrow, running } = useConnectionActions(id)
  const params = { params: { id } }
  if (!active) return null
  return (
    <Group>
      {state === 'off' ? (
        <Button
          loading={running === 'connect'}
          onClick={() => act('connect', () => sendOnce(connectDevice, { ...params, body: {} }))}
        >
          {t(problem ? 'connectAgain' : 'connect')}
        </Button>
      ) : (
        <Button
          variant="default"
          loading={running === 'pause'}
          onClick={() =>
            act(
              'pause',
              () => sendOnce(disconnectDevice, { ...params, body: { logOut: false } }),
              () => t('paused'),
            )
          }
        >
          {t('pause')}
        </Button>
      )}
      {state !== 'pairing' && (
        <ConfirmButton
          variant="subtle"
          danger
          title={t('logOutTitle')}
          message={t('logOutText')}
          onConfirm={() =>
            actOrThrow(
              'logOut',
              () => sendOnce(disconnectDevice, { ...params, body: { logOut: true } }),
              () => t('loggedOut'),
            )
          }
        >
          {t('logOut')}
        </ConfirmButton>
      )}
    </Group>
  )
}

function CheckButton({ connection: { id } }: Props) {
  const { t } = useTranslation('whatsapp')
  const { act, running } = useConnectionActions(id)
  const check = () =>
    act(
      'check',
      () => sendOnce(checkConnection, { params: { id } }),
      ({ data }) => (data.problem ? undefined : t('checked')),
    )
  return (
    <Group>
      <Button loading={running === 'check'} onClick={check}>
        {t('check')}
      </Button>
    </Group>
  )
}
