import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import PaymentPage from '#web/modules/payments/money/payment-page.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { nextAfterPayment, pathOfStep, sentenceKeys } from './dashboard/next-step.ts'
import { RegistrationFrame } from './registration-frame.tsx'
import { useStepParams } from './use-due.ts'
import { useRefreshRegistrations, useRegistration } from './use-registration.ts'

/** `/pendaftaran/:id/pembayaran`: the payments of a registration below its summary and tabs. */
export default function RegistrationPaymentPage() {
  const { id = '' } = useParams()
  const refresh = useRefreshRegistrations()
  return (
    <RegistrationFrame id={id} staffTab="payments" quietTitle>
      {() => <PaymentPage next={<NextStep id={id} />} onArrival={() => void refresh()} />}
    </RegistrationFrame>
  )
}

const lookAgainMs = 2_000
/** A job moves the registration on after its bill is settled; longer than this nothing waits for the job. */
const longestLookMs = 20_000

/** What the registration asks for after a payment. */
function NextStep({ id }: { id: string }) {
  const { t } = useTranslation('registration')
  const params = useStepParams()
  const [until] = useState(() => Date.now() + longestLookMs)
  const { data, error, refetch } = useRegistration(id, (asked) =>
    asked?.data.status === 'submitted' && Date.now() < until ? lookAgainMs : false,
  )
  const registration = data?.data
  if (!registration) return <Missing error={error} onRetry={refetch} />
  const { status, result, todo } = registration
  const next = nextAfterPayment(todo)
  if (status === 'submitted' && next?.key === 'payment' && next.state === 'waiting') return <LoadingRows rows={2} />
  return (
    <>
      <Text mb="md">{t(sentenceKeys({ status, result, nextStep: next }) as never, { ...params(next) })}.</Text>
      <Button component={Link} to={next?.state === 'todo' ? pathOfStep(next, id) : `/pendaftaran/${id}`} size="lg">
        {t(next?.state === 'todo' ? `act.${next.key}` : 'act.open')}
      </Button>
    </>
  )
}
