import { useParams } from 'react-router'
import PaymentPage from '../payments/payment-page.tsx'
import { RegistrationFrame } from './registration-frame.tsx'

/** `/pendaftaran/:id/pembayaran`: the payments of a registration below its summary and tabs. */
export default function RegistrationPaymentPage() {
  const { id = '' } = useParams()
  return (
    <RegistrationFrame id={id} staffTab="payments" quietTitle>
      {() => <PaymentPage />}
    </RegistrationFrame>
  )
}
