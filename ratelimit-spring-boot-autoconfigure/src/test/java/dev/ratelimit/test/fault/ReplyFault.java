package dev.ratelimit.test.fault;

/**
 * What happens to the replies of one connection.
 */
interface ReplyFault {

	/** All replies pass. */
	ReplyFault NONE = (bytes) -> new Passage(bytes.length, Then.GO_ON);

	/**
	 * Decide on replies as they come.
	 * @param bytes what comes, empty at the end
	 */
	Passage pass(byte[] bytes);

	/**
	 * The fault that holds from now on, where another is wanted.
	 */
	default ReplyFault replacedBy(ReplyFault wanted) {
		return wanted;
	}

	/**
	 * How much of what came goes on to the client, and what becomes of the connection.
	 */
	record Passage(int length, Then then) {
	}

	/**
	 * What becomes of a connection.
	 */
	enum Then {

		GO_ON, CLOSE, RESET

	}

}
