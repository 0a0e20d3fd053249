package dev.ratelimit.http;

import java.util.concurrent.Callable;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;

/**
 * Slow handlers for servlets only: blocking handlers and handlers with a timeout.
 */
@RestController
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class SlowServletHandlers {

	private static final long SHORT_MILLIS = 50;

	private final SlowHandlers handlers;

	SlowServletHandlers(SlowHandlers handlers) {
		this.handlers = handlers;
	}

	@GetMapping("/leases/blocking")
	String blocking(@RequestHeader("X-Key") String key) {
		return this.handlers.begin(key).join();
	}

	@GetMapping("/leases/callable")
	Callable<String> callable(@RequestHeader("X-Key") String key) {
		return () -> this.handlers.begin(key).join();
	}

	@GetMapping("/leases/deferred")
	DeferredResult<String> deferred(@RequestHeader("X-Key") String key) {
		DeferredResult<String> result = new DeferredResult<>();
		this.handlers.begin(key).thenAccept(result::setResult);
		return result;
	}

	@GetMapping("/leases/late/deferred")
	DeferredResult<String> lateDeferred(@RequestHeader("X-Key") String key) {
		DeferredResult<String> result = new DeferredResult<>(SHORT_MILLIS);
		this.handlers.begin(key).thenAccept(result::setResult);
		return result;
	}

	@GetMapping("/leases/late/answered")
	DeferredResult<String> answered() {
		return new DeferredResult<>(SHORT_MILLIS, "instead");
	}

	@GetMapping("/leases/late/callable")
	WebAsyncTask<String> lateCallable(@RequestHeader("X-Key") String key) {
		return new WebAsyncTask<>(SHORT_MILLIS, () -> this.handlers.begin(key).join());
	}

}
