package dev.ratelimit.api;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import dev.ratelimit.base.FailureStatus;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Creates responses from results, and problems from rejections.
 *
 * @param failures the statuses of the failures of capabilities
 */
record ApiResponses(List<FailureStatus<?>> failures) {

	/**
	 * Read or change live rules.
	 * @param work reads or writes the source by blocking calls
	 * @return the response
	 */
	CompletableFuture<ResponseEntity<Object>> edited(Supplier<ResponseEntity<Object>> work) {
		return answered(
				() -> Mono.fromSupplier(() -> translated(work)).subscribeOn(Schedulers.boundedElastic()).toFuture());
	}

	private ResponseEntity<Object> translated(Supplier<ResponseEntity<Object>> work) {
		try {
			return work.get();
		}
		catch (ApiException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			FailureStatus<?> status = FailureStatus.of(ex, this.failures).orElseThrow(() -> ex);
			throw new ApiException(status.status(), status.describe(ex));
		}
	}

	static CompletableFuture<ResponseEntity<Object>> answered(
			Supplier<? extends CompletableFuture<? extends ResponseEntity<?>>> work) {
		CompletableFuture<? extends ResponseEntity<?>> answer;
		try {
			answer = work.get();
		}
		catch (ApiException ex) {
			return CompletableFuture.completedFuture(rejected(ex));
		}
		return answer.handle((response, failure) -> {
			if (failure == null) {
				return anyOf(response);
			}
			Throwable cause = (failure instanceof CompletionException && failure.getCause() != null)
					? failure.getCause() : failure;
			if (cause instanceof ApiException exception) {
				return rejected(exception);
			}
			throw new CompletionException(cause);
		});
	}

	@SuppressWarnings("unchecked")
	private static ResponseEntity<Object> anyOf(ResponseEntity<?> response) {
		return (ResponseEntity<Object>) response;
	}

	private static ResponseEntity<Object> rejected(ApiException exception) {
		Map<String, Object> problem = new LinkedHashMap<>();
		problem.put("title", HttpStatus.valueOf(exception.status()).getReasonPhrase());
		problem.put("status", exception.status());
		problem.put("detail", exception.detail());
		return ResponseEntity.status(exception.status())
			.contentType(new MediaType(MediaType.APPLICATION_PROBLEM_JSON, StandardCharsets.UTF_8))
			.body(problem);
	}

}
