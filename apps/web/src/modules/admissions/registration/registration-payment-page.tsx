import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { CalendarFileButton } from '#web/modules/admission-calendar/calendar-file-button.tsx'
import { nextAfterPayment, pathOfStep, sentenceKeys } from '#web/modules/admissions/dashboard/next-step.ts'
import { useStepParams } from '#web/modules/admissions/use-due.ts'
import { ShareBill } from '#web/modules/payments/links/share-bill.tsx'
import PaymentPage from '#web/modules/payments/money/payment-page.tsx'
import { SendProof } from '#web/modules/payments/proofs/send-proof.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { RegistrationFrame } from './registration-frame.tsx'
import { useRefreshRegistrations, useRegistration } from './use-registration.ts'

/** `/pendaftaran/:id/pembayaran`: payments of a registration below its summary and tabs. */
export default function RegistrationPaymentPage() {
  const { id = '' } = useParams()
  const refresh = useRefreshRegistrations()
  return (
    <RegistrationFrame id={id} section="payments" quietTitle>
      {() => (
        <PaymentPage
          next={(toPayment) => <NextStep id={id} toPayment={toPayment} />}
          onArrival={() => void refresh()}
          besideBill={(bill) => (
            <>
              <SendProof bill={bill} />
              <ShareBill bill={bill} />
              {bill.installments.length > 1 && <CalendarFileButton />}
            </>
          )}
        />
      )}
    </RegistrationFrame>
  )
}

const lookAgainMs = 2_000
/** After this time the page stops waiting for the job that advances a registration with a settled bill. */
const longestLookMs = 20_000

/** Next step of the registration after a payment. */
function NextStep({ id, toPayment }: { id: string; toPayment: () => void }) {
  const { t } = useTranslation('registration')
  const params = useStepParams()
  const { pathname } = useLocation()
  const [lookUntilMs] = useState(() => Date.now() + longestLookMs)
  const { data, error, refetch } = useRegistration(id, (current) =>
    current?.data.status === 'submitted' && Date.now() < lookUntilMs ? lookAgainMs : false,
  )
  const registration = data?.data
  if (!registration) return <Missing error={error} onRetry={refetch} />
  const { status, result, todo } = registration
  const next = nextAfterPayment(todo)
  if (status === 'submitted' && next?.key === 'payment' && next.state === 'waiting') return <LoadingRows rows={2} />
  const path = next?.state === 'todo' ? pathOfStep(next, id) : `/pendaftaran/${id}`
  const label = t(next?.state === 'todo' ? `act.${next.key}` : 'act.open')
  return (
    <>
      <Text mb="md">{t(sentenceKeys({ status, result, nextStep: next }, new Date()), { ...params(next) })}.</Text>
      {path === pathname ? (
        // A link to the page below would leave this announcement open over it.
        <Button onClick={toPayment} size="lg">
          {label}
        </Button>
      ) : (
        <Button component={Link} to={path} size="lg">
          {label}
        </Button>
      )}
    </>
  )
}
