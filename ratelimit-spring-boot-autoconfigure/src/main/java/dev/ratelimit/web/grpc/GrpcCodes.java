package dev.ratelimit.web.grpc;

import io.grpc.Status;

/**
 * Converts gRPC codes to HTTP statuses, and back.
 *
 * @see <a href=
 * "https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto">The
 * documented statuses</a>
 */
final class GrpcCodes {

	private GrpcCodes() {
	}

	/**
	 * The HTTP status of a response.
	 * @param status the status of a call
	 * @return the HTTP status
	 */
	static int http(Status status) {
		return switch (status.getCode()) {
			case OK -> 200;
			case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
			case UNAUTHENTICATED -> 401;
			case PERMISSION_DENIED -> 403;
			case NOT_FOUND -> 404;
			case ALREADY_EXISTS, ABORTED -> 409;
			case RESOURCE_EXHAUSTED -> 429;
			case CANCELLED -> 499;
			case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
			case UNIMPLEMENTED -> 501;
			case UNAVAILABLE -> 503;
			case DEADLINE_EXCEEDED -> 504;
		};
	}

	/**
	 * The status of a call that is rejected.
	 * @param http the HTTP status of the rejection
	 * @return the status
	 */
	static Status rejection(int http) {
		return switch (http) {
			case 400 -> Status.INVALID_ARGUMENT;
			case 401 -> Status.UNAUTHENTICATED;
			case 403 -> Status.PERMISSION_DENIED;
			case 503 -> Status.UNAVAILABLE;
			default -> Status.RESOURCE_EXHAUSTED;
		};
	}

}
