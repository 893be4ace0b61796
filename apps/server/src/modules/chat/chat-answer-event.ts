/** Event name of answers sent by WhatsApp and of notices about unread answers. */
export const chatAnswerEvent = 'chat-answer'
