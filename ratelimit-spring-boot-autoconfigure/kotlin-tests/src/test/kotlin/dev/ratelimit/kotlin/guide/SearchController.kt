package dev.ratelimit.kotlin.guide

import dev.ratelimit.FailurePolicy
import dev.ratelimit.RateLimited
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController

@RestController
class SearchController(private val exports: ExportService) {

	@RateLimited("10/min", key = ["ip"])
	@GetMapping("/api/search")
	suspend fun search(): String = "found"

	@RateLimited("5/min", key = ["bean:tenant", "ip"], failure = [FailurePolicy.CLOSED])
	@GetMapping("/api/feed")
	fun feed(): Flow<String> = flowOf("first", "second")

	@GetMapping("/api/export")
	suspend fun export(): String = exports.export("acme")

}
