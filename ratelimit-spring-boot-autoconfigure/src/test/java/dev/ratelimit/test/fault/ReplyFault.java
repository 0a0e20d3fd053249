package dev.ratelimit.test.fault;

/**
 * The effect on the replies of one connection.
 */
interface ReplyFault {

	/** Forwards all replies. */
	ReplyFault NONE = (bytes) -> new Passage(bytes.length, Then.GO_ON);

	/**
	 * Decide the fate of reply bytes as they arrive.
	 * @param bytes the bytes, empty at the end
	 */
	Passage pass(byte[] bytes);

	/**
	 * Return the fault that applies after a request for another fault.
	 */
	default ReplyFault replacedBy(ReplyFault wanted) {
		return wanted;
	}

	/**
	 * The number of bytes to forward to the client, and the effect on the connection.
	 */
	record Passage(int length, Then then) {
	}

	/**
	 * The effect on a connection.
	 */
	enum Then {

		GO_ON, CLOSE, RESET

	}

}
