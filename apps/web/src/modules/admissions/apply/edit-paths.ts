type RegistrationProgrammes = {
  id: string
  choices: readonly { id: string }[]
  acceptedProgramme: { id: string } | null
}

/**
 * `/master/prodi/{study programme}/{part}/{registration}`; without any programme, the part's page below `/pendaftaran`.
 */
export function editPath({ id, choices, acceptedProgramme }: RegistrationProgrammes, part: 'program' | 'file'): string {
  const programme = acceptedProgramme ?? choices[0]
  return programme ? `/master/prodi/${programme.id}/${part}/${id}` : `/pendaftaran/${id}/${part}`
}

/** Whether the study programme in the address is one of the registration's. */
export const belongsTo = ({ choices, acceptedProgramme }: RegistrationProgrammes, programmeId: string) =>
  acceptedProgramme?.id === programmeId || choices.some(({ id }) => id === programmeId)
