"""What is kept between runs: rows made of the bytes of one file each, and views of them."""
