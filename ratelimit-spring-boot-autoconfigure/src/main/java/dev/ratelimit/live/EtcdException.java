package dev.ratelimit.live;

import java.io.IOException;

/**
 * A member of etcd could not process a request. The message contains a short reason.
 */
final class EtcdException extends IOException {

	private static final long serialVersionUID = 1L;

	/** The status if there is no response. */
	private static final int NONE = 0;

	private final int status;

	EtcdException(String reason, Throwable cause) {
		super(reason, cause);
		this.status = NONE;
	}

	EtcdException(int status, String reason) {
		super(reason);
		this.status = status;
	}

	boolean unauthenticated() {
		return this.status == 401;
	}

}
