package dev.ratelimit.http;

import java.io.IOException;
import java.util.concurrent.Callable;

import dev.ratelimit.RateLimited;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers for servlets only: dispatches of other types.
 */
@RestController
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ContractServletOnly {

	@RateLimited(id = "async", value = "3/d")
	@GetMapping("/c/async")
	Callable<String> async() {
		return () -> "async on " + Thread.currentThread();
	}

	@RateLimited(id = "forward", value = "3/d")
	@GetMapping("/c/forward")
	void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
		request.getRequestDispatcher("/c/value").forward(request, response);
	}

	@GetMapping("/c/free/thread")
	String thread() {
		return Thread.currentThread().toString();
	}

}
