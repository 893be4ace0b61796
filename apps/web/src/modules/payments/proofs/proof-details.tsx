import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { matchProof, type ProofDetail, readProof, refuseProof, reopenProof } from '#domain/payments/proofs/endpoints.ts'
import { listProofs } from '#domain/payments/proofs/lists.ts'
import { dateTime, rupiah, rupiahOfSen, shortDate } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { proofTone } from './tones.ts'

/** One proof with its picture, the money it may be about, and the answers. */
export function ProofDetails({ id }: { id: string }) {
  const { t } = useTranslation(['transfer-proofs', 'money', 'bills'])
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(readProof, { params: { id } }, { staleTime: 0 })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={6} />
  const proof = data.data
  return (
    <Stack gap="md">
      <StatusDot
        tone={proof.late ? 'attention' : proofTone[proof.state]}
        label={t(proof.late ? 'late' : `state.${proof.state}`)}
      />
      {proof.samePicture.length > 0 && (
        <Alert color="orange">
          {t('samePicture', { codes: proof.samePicture.map(({ registrationCode }) => registrationCode).join(', ') })}
        </Alert>
      )}
      <Facts
        facts={[
          [t('column.amount'), rupiah(proof.amount)],
          [t('column.paidAt'), dateTime(proof.paidAt, language)],
          [t('column.fromBank'), proof.fromBank],
          [t('column.note'), proof.note],
          [
            t('money:staff.applicant'),
            <Anchor key="r" component={Link} to={`/pendaftaran/${proof.registrationId}/pembayaran`}>
              {proof.applicantName} · {proof.registrationCode}
            </Anchor>,
          ],
          [t('money:staff.bill'), `${proof.billNumber} · ${t(`bills:billStatus.${proof.billStatus}`)}`],
          [
            t('picture'),
            <Anchor key="p" href={proof.file.url}>
              {t('openPicture', { name: proof.file.name })}
            </Anchor>,
          ],
          [t('column.sentAt'), dateTime(proof.sentAt, language)],
          [t('column.answeredBy'), proof.answeredBy],
          [t('column.reason'), proof.reason],
          ...(proof.returnedBecause
            ? [[t('column.returnedBecause'), t(`returned.${proof.returnedBecause}`)] as const]
            : []),
        ]}
      />
      {proof.state === 'open' ? <Answering proof={proof} /> : <Answered proof={proof} />}
    </Stack>
  )
}

/** Suggested payments and statement lines, and the answer that none of them is the money. */
function Answering({ proof }: { proof: ProofDetail }) {
  const { t } = useTranslation('transfer-proofs')
  const { language } = useSurroundings()
  const { may } = useSession()
  const [isRefusing, setIsRefusing] = useState(false)
  const { id, version, payments, lines } = proof
  const mayAnswer = may('pembayaran-mahasiswa-update')
  const suggestions = [
    ...payments.map(({ label, amount, paidAt, why, id: paymentId }) => ({
      key: paymentId,
      name: t('payment', { label }),
      amount: rupiah(amount),
      at: dateTime(paidAt, language),
      why,
      money: { paymentId },
    })),
    ...lines.map(({ label, amountSen, day, why, id: statementLineId }) => ({
      key: statementLineId,
      name: t('line', { label }),
      amount: rupiahOfSen(amountSen),
      at: shortDate(day, language),
      why,
      money: { statementLineId },
    })),
  ]
  return (
    <>
      <Text fw={600}>{t('money')}</Text>
      {suggestions.length === 0 && <Text c="dimmed">{t('moneyNone')}</Text>}
      <Entries>
        {suggestions.map(({ key, name, amount, at, why, money }) => (
          <Entry
            key={key}
            title={`${amount} · ${at}`}
            details={`${name} (${why.map((feature) => t(`why.${feature}`)).join(', ')})`}
            end={mayAnswer && <MatchButton proof={proof} amount={amount} money={money} />}
          />
        ))}
      </Entries>
      {mayAnswer && (
        <Group>
          <Button variant="default" onClick={() => setIsRefusing(true)}>
            {t('refuse')}
          </Button>
          {may('pembayaran-mahasiswa-create') && (
            <Anchor
              component={Link}
              to={`/pembayaran-mahasiswa/create?registrationId=${proof.registrationId}&billId=${proof.billId}`}
            >
              {t('enter')}
            </Anchor>
          )}
        </Group>
      )}
      {isRefusing && (
        <ReasonDialog
          call={refuseProof}
          params={{ id }}
          body={{ version }}
          title={t('refuseTitle')}
          submit={t('refuse')}
          label={t('reason')}
          description={t('reasonHelp')}
          done={t('refused')}
          onClose={() => setIsRefusing(false)}
        />
      )}
    </>
  )
}

type Money = { paymentId: string } | { statementLineId: string }

function MatchButton({ proof: { id, version }, amount, money }: { proof: ProofDetail; amount: string; money: Money }) {
  const { t } = useTranslation('transfer-proofs')
  const { actOrThrow } = useAction(keyOf(readProof), keyOf(listProofs))
  const match = () => sendOnce(matchProof, { params: { id }, body: { version, ...money } })
  return (
    <ConfirmButton
      variant="default"
      size="compact-md"
      title={t('matchTitle', { amount })}
      message={t('matchText')}
      onConfirm={() => actOrThrow('match', match, () => t('matched'))}
    >
      {t('match')}
    </ConfirmButton>
  )
}

/** Where the matched money is, and the way to take the answer back. */
function Answered({ proof: { id, version, amount, paymentId, statementLineId } }: { proof: ProofDetail }) {
  const { t } = useTranslation('transfer-proofs')
  const { may } = useSession()
  const { actOrThrow } = useAction(keyOf(readProof), keyOf(listProofs))
  const reopen = () => sendOnce(reopenProof, { params: { id }, body: { version } })
  const path = paymentId ? `/pembayaran-mahasiswa/${paymentId}` : statementLineId && `/rekonsiliasi/mutasi?q=${amount}`
  return (
    <Group>
      {path && (
        <Anchor component={Link} to={path}>
          {t('next')}
        </Anchor>
      )}
      {may('pembayaran-mahasiswa-update') && (
        <ConfirmButton
          variant="subtle"
          message={t('reopenText')}
          onConfirm={() => actOrThrow('reopen', reopen, () => t('reopened'))}
        >
          {t('reopen')}
        </ConfirmButton>
      )}
    </Group>
  )
}
