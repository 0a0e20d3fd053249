/**
 * What the starter adds to an application, and what it leaves alone.
 */
@NullMarked
package com.example.notes;

import org.jspecify.annotations.NullMarked;
