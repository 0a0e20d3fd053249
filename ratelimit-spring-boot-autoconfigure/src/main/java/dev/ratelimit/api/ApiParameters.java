package dev.ratelimit.api;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Reads headers and parameters of requests to the API. This class rejects missing and
 * invalid values instead of the framework, because the description of the API does not
 * contain the messages and media types of the framework.
 */
final class ApiParameters {

	private static final int UNSUPPORTED = 415;

	private ApiParameters() {
	}

	static String required(String name, @Nullable String value) {
		if (value == null || value.isEmpty()) {
			throw ApiException.badRequest("'" + name + "' is missing");
		}
		return value;
	}

	static long cost(@Nullable String value) {
		try {
			long cost = (value != null) ? Long.parseLong(value) : 1;
			if (cost >= 1) {
				return cost;
			}
		}
		catch (NumberFormatException ex) {
			// The value is rejected below.
		}
		throw ApiException.badRequest("'cost' must be a whole number of at least 1");
	}

	static Optional<String> plan(@Nullable String value) {
		return Optional.ofNullable(value).filter((plan) -> !plan.isEmpty());
	}

	// Pages of other sites cannot send this type without a preflight.
	static void requireJson(@Nullable String contentType) {
		if (!isJson((contentType != null) ? contentType : "")) {
			throw new ApiException(UNSUPPORTED, "the content type must be application/json");
		}
	}

	private static boolean isJson(String contentType) {
		try {
			return MediaType.APPLICATION_JSON.equalsTypeAndSubtype(MediaType.parseMediaType(contentType));
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

}
