package dev.ratelimit.api;

/**
 * A rejected request to the API. The message states the reason.
 */
final class ApiException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	ApiException(int status, String detail) {
		super(detail);
		this.status = status;
	}

	static ApiException badRequest(String detail) {
		return new ApiException(400, detail);
	}

	int status() {
		return this.status;
	}

	String detail() {
		return String.valueOf(getMessage());
	}

}
