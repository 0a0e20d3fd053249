package dev.ratelimit.api;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Makes responses of results, and problems of refusals.
 */
final class ApiResponses {

	private ApiResponses() {
	}

	static CompletableFuture<ResponseEntity<Object>> answered(
			Supplier<? extends CompletableFuture<? extends ResponseEntity<?>>> work) {
		CompletableFuture<? extends ResponseEntity<?>> answer;
		try {
			answer = work.get();
		}
		catch (ApiException ex) {
			return CompletableFuture.completedFuture(refused(ex));
		}
		return answer.handle((response, failure) -> {
			if (failure == null) {
				return anyOf(response);
			}
			Throwable cause = (failure instanceof CompletionException && failure.getCause() != null)
					? failure.getCause() : failure;
			if (cause instanceof ApiException refusal) {
				return refused(refusal);
			}
			throw new CompletionException(cause);
		});
	}

	@SuppressWarnings("unchecked")
	private static ResponseEntity<Object> anyOf(ResponseEntity<?> response) {
		return (ResponseEntity<Object>) response;
	}

	private static ResponseEntity<Object> refused(ApiException refusal) {
		Map<String, Object> problem = new LinkedHashMap<>();
		problem.put("title", HttpStatus.valueOf(refusal.status()).getReasonPhrase());
		problem.put("status", refusal.status());
		problem.put("detail", refusal.detail());
		return ResponseEntity.status(refusal.status())
			.contentType(new MediaType(MediaType.APPLICATION_PROBLEM_JSON, StandardCharsets.UTF_8))
			.body(problem);
	}

}
