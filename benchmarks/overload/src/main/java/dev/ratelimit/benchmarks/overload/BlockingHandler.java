package dev.ratelimit.benchmarks.overload;

import java.util.concurrent.locks.LockSupport;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The handler for servlet stacks. It waits for the backend on the thread of the request.
 */
@RestController
@ConditionalOnWebApplication(type = Type.SERVLET)
class BlockingHandler {

	private final Backend backend;

	BlockingHandler(Backend backend) {
		this.backend = backend;
	}

	@GetMapping("/{level}/work")
	String work() {
		long finishedAt = this.backend.finishedAt(System.nanoTime());
		for (long left = finishedAt - System.nanoTime(); left > 0; left = finishedAt - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
		return "done";
	}

}
