import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  checkFeederConnection,
  type FeederConnection,
  readFeederConnection,
  saveFeederConnection,
} from '#domain/students/feeder/endpoints.ts'
import { dateTime, longDate, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FixedChoice } from '#web/ui/form/fixed-choice.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { SecretField } from '#web/ui/form/secret-field.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Register the students are sent to, and whether its connection works. */
export default function FeederSettingsPage() {
  const { t } = useTranslation('feeder')
  const title = useScreenTitle()
  const { data, error, refetch } = useEndpoint(readFeederConnection, undefined, { refetchOnWindowFocus: false })
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  return (
    <>
      <PageHeader title={title} description={t('settings.lead')} />
      <Stack>
        <ConnectionForm key={data.data.version} connection={data.data} />
        <StateCard connection={data.data} />
      </Stack>
    </>
  )
}

function ConnectionForm({ connection }: { connection: FeederConnection }) {
  const { t } = useTranslation('feeder')
  const { language } = useSurroundings()
  const { may } = useSession()
  const mayChange = may(saveFeederConnection.access)
  const form = useForm({
    call: saveFeederConnection,
    start: {
      target: connection.target,
      address: connection.address ?? '',
      username: connection.username ?? '',
      password: '',
    },
    body: ({ target, address, username, password }) => ({
      ...{ target, address: address.trim() || null, username: username.trim() || null, version: connection.version },
      ...(password !== '' && { password }),
    }),
    done: t('settings.saved'),
  })
  const { target } = form.values
  const text = (name: 'address' | 'username') => ({
    label: t(`settings.${name}`),
    ...form.text(name),
    readOnly: !mayChange,
    autoComplete: 'off',
  })
  return (
    <PageForm form={form} submit={mayChange ? t('settings.save') : null} maw={760}>
      <Card>
        <Stack>
          {!mayChange && <Text size="sm">{t('settings.readOnly')}</Text>}
          <FixedChoice
            label={t('settings.target')}
            choices={connection.targets.map((value) => ({
              value,
              label: t(`target.${value}`),
              description: t(`settings.targetHint.${value}`),
            }))}
            fixed={mayChange ? undefined : t(`settings.targetHint.${target}`)}
            {...form.value('target')}
          />
          {target !== 'demo' && (
            <>
              <TextInput {...text('address')} type="url" withAsterisk description={t('settings.addressHint')} />
              <TextInput {...text('username')} withAsterisk />
              {mayChange && (
                <SecretField
                  label={t('settings.password')}
                  help={t('settings.passwordHint')}
                  stored={
                    connection.passwordSetAt
                      ? t('settings.passwordStored', { date: longDate(connection.passwordSetAt, language) })
                      : null
                  }
                  words={{ replace: t('settings.replace'), keep: t('settings.keep') }}
                  {...form.value('password')}
                />
              )}
            </>
          )}
        </Stack>
      </Card>
    </PageForm>
  )
}

function StateCard({ connection }: { connection: FeederConnection }) {
  const { t } = useTranslation('feeder')
  const { language } = useSurroundings()
  const { may } = useSession()
  const { problem, problemDetail, university, checkedAt, edited } = connection
  const check = useForm({
    call: checkFeederConnection,
    done: ({ data }) => (data.problem ? undefined : t('settings.works', { university: data.university })),
  })
  return (
    <Card title={t('settings.state')}>
      <Stack>
        {problem ? (
          <Alert color="orange" variant="light" role="status">
            <Text fw={600}>{t(`settings.problem.${problem}`)}</Text>
            {problemDetail && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {t('settings.said', { detail: problemDetail })}
              </Text>
            )}
          </Alert>
        ) : (
          <Text role="status">{university ? t('settings.works', { university }) : t('settings.unchecked')}</Text>
        )}
        <Facts
          facts={[
            [t('settings.waiting'), wholeNumber(connection.waiting)],
            ...(checkedAt
              ? [[t('settings.check'), t('settings.checkedAt', { time: dateTime(checkedAt, language) })] as const]
              : []),
            ...(edited
              ? [
                  [
                    t('settings.save'),
                    t('settings.edited', {
                      time: dateTime(edited.at, language),
                      by: edited.by ?? t('settings.nobody'),
                    }),
                  ] as const,
                ]
              : []),
          ]}
        />
        <Failure>{check.formError}</Failure>
        {may(checkFeederConnection.access) && (
          <Button
            variant="default"
            loading={check.busy}
            onClick={() => check.submit()}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('settings.check')}
          </Button>
        )}
      </Stack>
    </Card>
  )
}
