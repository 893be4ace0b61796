import { AccountLayout } from '../accounts/account-layout.tsx'
import { useSimLabel } from './driving-licence-form.tsx'
import { QuestionnaireForm } from './questionnaire-form.tsx'

export default function QuestionnairePage() {
  return (
    <AccountLayout simLabel={useSimLabel()}>
      <QuestionnaireForm />
    </AccountLayout>
  )
}
