import { Alert, FileInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type LetterCertificate,
  readLetterSigning,
  removeLetterCertificate,
  storeLetterCertificate,
} from '#domain/letters/signing-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** The certificate that signs letters: its holder and expiry; replace or remove it. */
export default function SigningPage() {
  const { t } = useTranslation('letters')
  const { mayCall } = useSession()
  const title = useScreenTitle()
  const answer = useEndpoint(readLetterSigning)
  const certificate = answer.data?.data.certificate
  return (
    <>
      <PageHeader title={title} description={t('signing.text')} />
      <Stack maw={720}>
        {certificate === undefined ? (
          <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={6} />
        ) : (
          <>
            <Card>{certificate ? <Certificate certificate={certificate} /> : <Text>{t('signing.none')}</Text>}</Card>
            {mayCall(storeLetterCertificate) && (
              <StoreCard key={certificate?.fingerprint ?? 'none'} replaces={certificate !== null} />
            )}
          </>
        )}
      </Stack>
    </>
  )
}

function Certificate({ certificate }: { certificate: LetterCertificate }) {
  const { t } = useTranslation('letters')
  const { mayCall } = useSession()
  const { language } = useSurroundings()
  const { actOrThrow } = useAction(keyOf(readLetterSigning))
  const { state, holder, issuer, serialNumber, fingerprint, validFrom, validUntil, addedAt, addedBy } = certificate
  return (
    <Stack gap="md">
      {state !== 'valid' && (
        <Alert color={state === 'expired' ? 'red' : 'yellow'} variant="light" role="alert">
          {t(`signing.${state}`)}
        </Alert>
      )}
      <Facts
        facts={[
          [t('signing.holder'), holder],
          [t('signing.issuer'), issuer],
          [t('signing.validFrom'), dateTime(validFrom, language)],
          [t('signing.validUntil'), dateTime(validUntil, language)],
          [t('signing.serialNumber'), serialNumber],
          [t('signing.fingerprint'), fingerprint.replace(/(..)(?=.)/g, '$1 ')],
          [t('signing.added'), t('signing.addedBy', { time: dateTime(addedAt, language), name: addedBy ?? '–' })],
        ]}
      />
      {mayCall(removeLetterCertificate) && (
        <div>
          <ConfirmButton
            variant="default"
            danger
            message={t('signing.removeText')}
            onConfirm={() => actOrThrow('remove', () => sendOnce(removeLetterCertificate))}
          >
            {t('signing.remove')}
          </ConfirmButton>
        </div>
      )}
    </Stack>
  )
}

/** Bytes of a file in Base64. */
const base64Of = async (file: File) =>
  btoa(Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''))

function StoreCard({ replaces }: { replaces: boolean }) {
  const { t } = useTranslation('letters')
  const [chosen, setChosen] = useState<File | null>(null)
  const form = useForm({
    call: storeLetterCertificate,
    start: { file: '', passphrase: '' },
    done: t('signing.stored'),
  })
  const choose = async (next: File | null) => {
    setChosen(next)
    form.set({ file: next ? await base64Of(next) : '' })
  }
  return (
    <Card title={t(replaces ? 'signing.replace' : 'signing.add')}>
      <PageForm form={form} submit={t('signing.save')}>
        <FileInput
          label={t('signing.file')}
          description={t('signing.fileHelp')}
          placeholder={t('signing.chooseFile')}
          accept=".p12,.pfx,application/x-pkcs12"
          clearable
          value={chosen}
          onChange={(next) => void choose(next)}
          {...form.field('file')}
        />
        <PasswordInput label={t('signing.passphrase')} autoComplete="off" {...form.text('passphrase')} />
      </PageForm>
    </Card>
  )
}
